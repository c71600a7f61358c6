using HangTriage.Capture;
using HangTriage.Capture.Windows;
using HangTriage.Capture.Windows.Code;
using HangTriage.Capture.Windows.Images;
using HangTriage.Facts;
using static HangTriage.Tests.Capture.Windows.Codes;

namespace HangTriage.Tests.Capture.Windows.Code;

/// <summary>A function of hand-assembled code, and a frame in it.</summary>
internal static class CodeFixture
{
    public const ulong ImageBase = UnwindFixture.ImageBase;
    public const uint Begin = 0x1100;

    /// <summary>The loop around a place of the function, its addresses counted from the function's begin; "" where there is none.</summary>
    public static string LoopAt(byte[] code, uint offset, bool isReturnAddress = false)
        => Describe(Find(Image(code), Begin + offset, isReturnAddress));

    public static string Describe(Known<LoopFacts>? loop)
        => loop is null ? string.Empty
            : !loop.TryGet(out LoopFacts? facts) ? loop.Gap!.Why
            : $"0x{facts.Start.Value - ImageBase - Begin:x}-0x{facts.End.Value - ImageBase - Begin:x} {facts.InstructionCount}{(facts.HasPause ? " pauses" : string.Empty)}";

    public static ImageBytes Image(byte[] code)
        => new ImageBytes()
            .Function(0x1000, 0x1010, Info(0))
            .Function(Begin, Begin + (uint)code.Length, Info(0))
            .Code(Begin, code);

    public static Known<LoopFacts>? Find(ImageBytes? image, uint rva, bool isReturnAddress = false, CaptureLimits? limits = null)
    {
        FakeProcess process = new();
        process.Module("test.dll", ImageBase, ImageBytes.Size);
        if (image is not null)
        {
            process.Memory(ImageBase, image.Build());
        }

        return Find(process, rva, isReturnAddress, limits);
    }

    public static Known<LoopFacts>? Find(FakeProcess process, uint rva, bool isReturnAddress = false, CaptureLimits? limits = null)
    {
        TargetMemory memory = new(process);
        ImageMap images = new(process.Modules.Value, memory, CaptureLimits.Default);
        FrameFacts top = new() { Ip = new Address(0x10), Sp = new Address(0), Kind = FrameKind.Native, Trust = Trust.Read, Module = "NTDLL.dll" };
        FrameFacts frame = top with { Ip = new Address(ImageBase + rva), Module = "test.dll" };
        return new LoopFinder(memory, images, limits ?? CaptureLimits.Default).Find(isReturnAddress ? [top, frame] : [frame], isReturnAddress);
    }
}
