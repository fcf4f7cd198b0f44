#include "check/quote.h"

#include <string.h>

const char *quote_word(const char *word, char *text, size_t size)
{
    size_t used = 0;
    if (size == 0)
        return "";
    if (size >= 3) {
        text[used++] = '\'';
        for (; *word != '\0' && used + 6 <= size; word++) {
            const size_t length = *word == '\'' ? 4 : 1;
            memcpy(text + used, length == 4 ? "'\\''" : word, length);
            used += length;
        }
        text[used++] = '\'';
    }
    text[used] = '\0';
    return text;
}
