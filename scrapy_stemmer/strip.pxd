# Its functions take half as long where they are compiled.
