// Starting a sample and waiting for its READY line.
#pragma once
#include <windows.h>

typedef struct {
    PROCESS_INFORMATION process;
    HANDLE job;
    // What it writes behind its READY line.
    HANDLE output;
} Sample;

// Starts the command line and waits until the program has written a line "READY", or one that says more
// after that word and a space. The sample dies with this process.
// Says why on stderr and returns FALSE if the program ends first or takes longer than the bound.
BOOL sample_start(wchar_t *command_line, DWORD bound_ms, Sample *sample);

// Ends the sample and waits until it is gone.
void sample_end(Sample *sample);

// Appends an argument to a command line, quoted the way that the C runtime takes apart.
void sample_append_argument(wchar_t *command_line, size_t capacity, const wchar_t *argument);
