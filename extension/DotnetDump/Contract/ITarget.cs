using System.Runtime.InteropServices;

namespace Microsoft.Diagnostics.DebugServices;

public interface ITarget
{
    OSPlatform OperatingSystem { get; }

    Architecture Architecture { get; }

    bool IsDump { get; }

    uint? ProcessId { get; }
}
