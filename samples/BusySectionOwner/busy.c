// A checksum over a table, in nine instructions that neither pause nor call anything.
#include <windows.h>

static unsigned long long table[256] = {1};

__declspec(dllexport) __attribute__((noinline)) unsigned long long recount(unsigned long long rounds) {
    unsigned long long sum = 0, index = 0, word;
    __asm__ volatile(
        "1:\n\t"
        "movzbl %b[index], %k[word]\n\t"
        "movq (%[table],%[word],8), %[word]\n\t"
        "addq %[word], %[sum]\n\t"
        "rolq $5, %[sum]\n\t"
        "leaq 7(%[index]), %[index]\n\t"
        "xorq %[index], %[sum]\n\t"
        "subq $1, %[rounds]\n\t"
        "testq %[rounds], %[rounds]\n\t"
        "jne 1b"
        : [sum] "+r"(sum), [index] "+q"(index), [word] "=&r"(word), [rounds] "+r"(rounds)
        : [table] "r"(table)
        : "cc", "memory");
    return sum;
}
