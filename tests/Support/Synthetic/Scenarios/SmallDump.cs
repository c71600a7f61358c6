namespace HangTriage.Tests.Support.Synthetic.Scenarios;

/// <summary>A dump without a byte of its images, and the files that have them.</summary>
public sealed class SmallDump
{
    private SmallDump(SyntheticProcess process) => Process = process;

    public static Guid PdbSignature { get; } = new("0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0");

    public SyntheticProcess Process { get; }

    public SyntheticImage App => Process.Images[0];

    public SyntheticImage Ntdll => Process.Images[1];

    /// <summary>One thread: a function that is exported called one that is not, which waits in ntdll.</summary>
    public static SmallDump Create()
    {
        SyntheticProcess process = new();
        SyntheticImage app = process.Image(new SyntheticImage(@"C:\app\app.exe", 0x1_4000_0000) { TimeDateStamp = 0x0A0B_0C0D }
            .Function("exported", 0x80, exported: true, prolog => prolog.Push(Register.Rbx).Alloc(0x30))
            .Function("hidden", 0xC0, prolog: prolog => prolog.Push(Register.Rbp).Push(Register.Rdi).Alloc(0x58))
            .Function("behind", 0x80)
            .Pdb(@"C:\build\app.pdb", PdbSignature, 1));
        SyntheticImage ntdll = process.Image(WindowsImages.Ntdll());
        process.Thread(0x6710)
            .InFunction(ntdll, "NtWaitForSingleObject")
            .CalledFrom(app, "hidden")
            .CalledFrom(app, "exported")
            .CalledFrom(ntdll, "RtlUserThreadStart");
        return new SmallDump(process);
    }

    public static byte[] Dump(SyntheticProcess process)
        => process.ToMinidump(SyntheticContents.Stacks | SyntheticContents.Blocks | SyntheticContents.ImageData).AsSmallDump().Build();

    public byte[] Dump() => Dump(Process);

    public SyntheticPdb Pdb() => new SyntheticPdb(App) { Signature = PdbSignature }.PublicOf("exported").PublicOf("hidden");

    /// <summary>The image files and nothing else, in one folder.</summary>
    public static void WriteImages(SyntheticProcess process, string folder)
    {
        foreach (SyntheticImage image in process.Images)
        {
            File.WriteAllBytes(Path.Combine(folder, image.Name), image.ToFile());
        }
    }

    /// <summary>The dump, the image files and the PDB, in one folder.</summary>
    public string WriteAll(string folder)
    {
        WriteImages(Process, folder);
        File.WriteAllBytes(Path.Combine(folder, "app.pdb"), Pdb().Build());
        string dump = Path.Combine(folder, "small.dmp");
        File.WriteAllBytes(dump, Dump());
        return dump;
    }
}
