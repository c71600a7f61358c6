using HangTriage.Tests.Support;

namespace HangTriage.Tests.EndToEnd.Live;

/// <summary>
/// A library that has a sampler of the tool stand still behind a call of ptrace(2) on a thread of its target: the kernel hands
/// the call to the library (seccomp(2)), which does it and stops. The moment comes each time, however busy the machine is.
/// </summary>
internal static class HeldSampler
{
    // The tool calls ptrace by its address in libc, which no library that is loaded before can replace.
    private const string Functions =
        """
        #include <errno.h>
        #include <signal.h>
        #include <stddef.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/syscall.h>
        #include <ucontext.h>
        #include <linux/filter.h>
        #include <linux/seccomp.h>

        // Registers of a call and its result, by their place in gregs. ptrace takes no fifth argument: there is the mark of the
        // calls that are let pass.
        enum { First = 8, Second = 9, Third = 12, Fourth = 2, Result = 13, Mark = 0x48454c44 };

        static void on_call(int signal, siginfo_t *info, void *context)
        {
            greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
            char thread[64];
            snprintf(thread, sizeof thread, "/proc/%s/task/%d", getenv("HELD_TARGET"), (int)registers[Second]);
            long result = syscall(SYS_ptrace, registers[First], registers[Second], registers[Third], registers[Fourth], Mark);
            registers[Result] = result < 0 ? -errno : result;
            if (access(thread, F_OK) == 0) kill(getpid(), SIGSTOP);
        }

        static int takes_samples(void)
        {
            static char line[65536];
            FILE *file = fopen("/proc/self/cmdline", "r");
            size_t length = file ? fread(line, 1, sizeof line - 1, file) : 0;
            if (file) fclose(file);
            for (char *word = line; word < line + length; word += strlen(word) + 1)
                if (!strcmp(word, "sample")) return 1;
            return 0;
        }

        static void trap(unsigned request)
        {
            struct sock_filter filter[] = {
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 5),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, request, 0, 3),
                BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[4])),
                BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, Mark, 1, 0),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
            };
            struct sock_fprog program = { sizeof filter / sizeof *filter, filter };
            struct sigaction action = { .sa_sigaction = on_call, .sa_flags = SA_SIGINFO };
            sigaction(SIGSYS, &action, NULL);
            prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
            if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) perror("seccomp");
        }
        """;

    /// <summary>The environment of a tool whose samplers stand still behind that call.</summary>
    /// <param name="library">The file that the library becomes.</param>
    /// <param name="target">Whom the tool looks at.</param>
    /// <param name="request">The first argument of the call of ptrace.</param>
    public static (string Name, string Value)[] At(string library, string target, int request)
    {
        CompiledLibrary.Write(library, $"if (takes_samples()) trap({request});", Functions);
        return [("LD_PRELOAD", library), ("HELD_TARGET", target)];
    }
}
