using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Windows;

/// <summary>A file that lives as long as its test.</summary>
internal sealed class ScratchFile : IDisposable
{
    public ScratchFile(byte[] bytes)
    {
        string folder = System.IO.Path.Combine(Repository.Artifacts, "scratch");
        Directory.CreateDirectory(folder);
        Path = System.IO.Path.Combine(folder, Guid.NewGuid().ToString("N"));
        File.WriteAllBytes(Path, bytes);
    }

    public string Path { get; }

    public void Dispose() => File.Delete(Path);
}
