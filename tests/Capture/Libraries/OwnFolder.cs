using System.Runtime.Versioning;
using HangTriage.Capture.Libraries;
using HangTriage.Tests.Support;

namespace HangTriage.Tests.Capture.Libraries;

/// <summary>A folder, gone when the test ends, above which nobody else can write: not in /tmp.</summary>
[SupportedOSPlatform("linux")]
internal sealed class OwnFolder : IDisposable
{
    private readonly string _folder;

    public OwnFolder()
    {
        string[] bases =
        [
            Repository.Artifacts,
            Environment.GetFolderPath(Environment.SpecialFolder.UserProfile),
            .. Environment.IsPrivilegedProcess ? (string[])["/var/cache"] : [],
        ];
        string? found = bases.FirstOrDefault(IsOwn);
        if (found is null)
        {
            Skip.OnThisMachine("others can write to a folder above the checkout, and to one above the user's own");
        }

        _folder = Directory.CreateDirectory(Path.Combine(found, "own-" + Guid.NewGuid().ToString("N"))).FullName;
    }

    public string this[string name] => Path.Combine(_folder, name);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static bool IsOwn(string folder)
    {
        for (string? at = folder; at is not null; at = Path.GetDirectoryName(at))
        {
            if (FileStatus.Of(at) is not { IsFolder: true, OthersCanWrite: false })
            {
                return false;
            }
        }

        return true;
    }
}
