# What stands once stays once. Each call names what only its owner does, as regular expressions over lines of C, and the
# files that may do it: the owner first; another where the owner cannot serve, with the reason beside it.
#
#   cmake -P test/build/once.cmake        in the source folder
cmake_minimum_required(VERSION 3.16)
set(folders base bench check cli fuzz gpu kernel model proofs ptx smt tools)
set(wrong 0)

function(once what pattern)
  set(seen 0)
  foreach(folder IN LISTS folders)
    file(GLOB_RECURSE files RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${folder}/*.c ${folder}/*.h)
    foreach(file IN LISTS files)
      file(STRINGS ${file} lines REGEX "${pattern}")
      if(NOT lines)
        continue()
      endif()
      if(file IN_LIST ARGN)
        math(EXPR seen "${seen} + 1")
        continue()
      endif()
      foreach(line IN LISTS lines)
        message("${file}: ${what} is the work of ${ARGV2}: ${line}")
      endforeach()
      set(wrong 1 PARENT_SCOPE)
    endforeach()
  endforeach()
  list(LENGTH ARGN owners)
  if(NOT seen EQUAL owners)
    message("${what}: ${seen} of ${ARGN} do it: mend the list")
    set(wrong 1 PARENT_SCOPE)
  endif()
endfunction()

once("reading a clock" "clock_gettime\\(|gettimeofday\\(|[^a-z_]time\\(NULL\\)|[^a-z_]clock\\(\\)" base/clock.c)
once("starting a process" "[^a-z_](vfork|popen|system|posix_spawnp?)\\(|= fork\\(\\)" base/process.c)
once("starting a thread" "pthread_create\\(" base/pool.c)
once("creating a file or a folder" "O_CREAT|mkstemp|mkdtemp\\(|[^a-z_]mkdir\\(|fopen\\([^,]*, \"[wa]" base/file.c)
once("reserving a file's room" "posix_fallocate\\(" base/file.c) # what is mapped without it ends by SIGBUS on a full disk
once("a rename" "[^a-z_]rename(at2?)?\\(" base/file.c check/finding/folder.c) # a folder that appears whole
once("a random source or a hash" "0x9e3779b97f4a7c15|0xbf58476d1ce4e5b9|0xcbf29ce484222325|0x100000001b3|6364136223846793005|0x7feb352d|\\+= RANDOM_STEP|[^a-z_]s?rand\\(" base/random.h)
once("quoting a shell's word" "\"'\\\\\\\\''\"" base/text.c)
# smt/context.c: the prover ends its process where there is no memory, with arrays of a given size too.
once("growing an array" "[^a-z_]realloc\\(" base/buffer.c smt/context.c)
once("taking an implementation's name apart" "\"pipe:\"|\"\\.so:\"" check/impl/name.c)
once("finding the assembler" "\"WARPCHECK_PTXAS\"" check/impl/name.c)
once("writing a finding" "\"verdict\\.txt\"" check/finding/folder.c)

if(wrong)
  message(FATAL_ERROR "use the owner, or add a file here with the reason why it cannot")
endif()
