#include "proofs/llvm.h"

#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <string.h>

struct llvm_calls llvm_calls;

static const char *const names[] = {LLVM_CALL_NAMES};
_Static_assert(sizeof llvm_calls == sizeof names / sizeof names[0] * sizeof(void *), "one pointer a name");

static void *library; /* NULL: not loaded */

bool llvm_load(struct error *error)
{
    void *loaded;
    if (library != NULL)
        return true;
    loaded = dlopen(WARPCHECK_LLVM_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (loaded == NULL)
        return error_set(error, ERROR_UNSUPPORTED, "LLVM 19 cannot be loaded: %s (Debian: llvm-19-dev)", dlerror());
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        void *const function = dlsym(loaded, names[i]);
        memcpy((char *)&llvm_calls + i * sizeof function, &function, sizeof function);
        if (function == NULL) {
            dlclose(loaded);
            return error_set(error, ERROR_UNSUPPORTED, "%s has no function %s", WARPCHECK_LLVM_LIBRARY, names[i]);
        }
    }
    library = loaded;
    return true;
}

LLVMContextRef llvm_open(struct error *error)
{
    return llvm_load(error) ? LLVMContextCreate() : NULL;
}

#define NAME_OF(function) #function
#define NAME(function)    NAME_OF(function)

bool llvm_compiles_here(void)
{
    static const char *const parts[] = {NAME(LLVM_NATIVE_TARGETINFO), NAME(LLVM_NATIVE_TARGET),
                                        NAME(LLVM_NATIVE_TARGETMC), NAME(LLVM_NATIVE_ASMPRINTER)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        void *const function = dlsym(library, parts[i]);
        void (*begin)(void);
        if (function == NULL)
            return false;
        memcpy(&begin, &function, sizeof begin);
        begin();
    }
    return true;
}
