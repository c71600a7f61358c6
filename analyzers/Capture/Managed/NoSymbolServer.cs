using System.Collections.Immutable;
using System.Runtime.InteropServices;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Managed;

/// <summary>Finds nothing. ClrMD's own locator asks a symbol server on the network and makes a folder for its cache.</summary>
internal sealed class NoSymbolServer : IFileLocator
{
    public string? FindPEImage(string fileName, int buildTimeStamp, int imageSize, bool checkProperties) => null;

    public string? FindPEImage(
        string fileName,
        SymbolProperties archivedUnder,
        ImmutableArray<byte> buildIdOrUUID,
        OSPlatform originalPlatform,
        bool checkProperties)
        => null;
}
