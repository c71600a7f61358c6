using System.Security.Cryptography;
using HangTriage.Facts;

namespace HangTriage.Capture.Linux;

/// <summary>Reads what tells a process from all others that had its id.</summary>
internal static class IdentityReader
{
    private const int SeedSize = 16;

    // Enough to tell processes apart. The C library makes its stack guards of these bytes, so they stay out.
    private const int HashSize = 8;

    /// <param name="vector">What the kernel told the program.</param>
    /// <param name="memory">Reads the process; returns how many bytes it has.</param>
    public static ProcessIdentity Read(AuxiliaryVector vector, Func<ulong, byte[], int> memory)
        => new(Seed(vector, memory), AddressOf(vector.ProgramHeaders), AddressOf(vector.Loader), AddressOf(vector.SystemPage));

    private static Known<string> Seed(AuxiliaryVector vector, Func<ulong, byte[], int> memory)
    {
        const string what = "random seed of the process";
        if (vector.Random is not ulong address)
        {
            return Known.Unknown<string>(what, "the notes do not say where it lies");
        }

        byte[] seed = new byte[SeedSize];
        return memory(address, seed) == SeedSize
            ? Known.Derived(Convert.ToHexString(SHA256.HashData(seed), 0, HashSize))
            : Known.Unknown<string>(what, $"the page at {new Address(address)} is not in the core");
    }

    private static Address? AddressOf(ulong? value) => value is ulong address ? new Address(address) : null;
}
