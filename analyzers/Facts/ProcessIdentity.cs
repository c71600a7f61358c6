namespace HangTriage.Facts;

/// <summary>
/// What a Linux process has from its start to its end and no other process shares: random bytes of the kernel, and where
/// it was loaded. A process id is given again; in a container nearly every program has the same.
/// </summary>
/// <param name="Seed">A hash of the 16 bytes that the kernel gives a program at its start (AT_RANDOM), never these bytes.</param>
/// <param name="Program">Where the main program lies (AT_PHDR).</param>
/// <param name="Loader">Where the dynamic loader lies (AT_BASE); 0 where there is none.</param>
/// <param name="SystemPage">Where the kernel's own code for the process lies (AT_SYSINFO_EHDR).</param>
public sealed record ProcessIdentity(Known<string> Seed, Address? Program, Address? Loader, Address? SystemPage);
