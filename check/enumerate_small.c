/* Not written yet. */
typedef int not_written_yet;
