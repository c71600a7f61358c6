using HangTriage.Capture.Libraries;
using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Live;

/// <summary>Opens the .NET runtime of a live process on its copy. In a container the library may lie where only the process sees it.</summary>
/// <param name="target">The process; stays the caller's.</param>
/// <param name="process">Its id.</param>
internal sealed class LiveRuntime(DataTarget target, int process) : IRuntimeDoor
{
    public OpenedRuntime? Open(CaptureContext context, out string why)
    {
        if (new CoreRuntime(target).Open(context, out why) is { } opened)
        {
            return opened;
        }

        // Where the process has folders of its own, what its paths name here is another file, or none.
        if (target.ClrVersions is [{ ModuleInfo.FileName: { Length: > 0 } runtime }, ..]
            && Path.GetDirectoryName(Path.Join($"/proc/{process}/root", runtime)) is { } folder
            && File.Exists(Path.Join(folder, "libmscordaccore.so")) && !File.Exists(Path.Join(Path.GetDirectoryName(runtime), "libmscordaccore.so")))
        {
            why = $"{why}. The process has it in folders of its own: if you trust them, add --dac {ShellWord.Of(folder)}";
        }

        return null;
    }
}
