typedef int not_written_yet;
