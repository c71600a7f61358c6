using Microsoft.Diagnostics.Runtime;

namespace HangTriage.Capture.Linux.Images;

/// <summary>Shows a core together with the files that stand in for what it leaves out. What is in neither is missing, not zero.</summary>
internal sealed class CoreReader(IDataReader core, CoreMemory memory, ImageFiles files) : CoreLayer(core)
{
    public override int Read(ulong address, Span<byte> buffer)
    {
        int read = 0;
        while (read < buffer.Length)
        {
            ulong at = address + (uint)read;
            Span<byte> rest = buffer[read..];
            int more = memory.Read(at, rest);
            if (more == 0)
            {
                more = files.Read(at, rest[..(int)Math.Min((ulong)rest.Length, memory.NextAfter(at) - at)]);
            }

            if (more == 0)
            {
                break;
            }

            read += more;
        }

        return read;
    }

    // As ClrMD's own reader of cores makes them, they see nothing but the core.
    public override IEnumerable<ModuleInfo> EnumerateModules()
        => base.EnumerateModules().Select(module => ModuleInfo.TryCreate(this, module.ImageBase, module.FileName) ?? module);
}
