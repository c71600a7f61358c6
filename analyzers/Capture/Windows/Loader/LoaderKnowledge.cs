using HangTriage.Facts;

namespace HangTriage.Capture.Windows.Loader;

/// <summary>Whose loader the process has: what its records mean follows from it.</summary>
/// <param name="OsBuild">The build of Windows.</param>
/// <param name="IsWine">The process runs in Wine, whose loader keeps no state in thread environment blocks.</param>
internal sealed record LoaderKnowledge(Known<uint> OsBuild, bool IsWine);
