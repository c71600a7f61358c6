using System.Text.Json;
using HangTriage.Facts;
using HangTriage.Tests.Support;
using HangTriage.Tests.Support.Synthetic.Traces;

namespace HangTriage.Tests.Unit.Traces;

/// <summary>The only public bytes of switches, wakings and stacks that Windows wrote, put into a trace.</summary>
public sealed class RecordedPayloadTests
{
    /// <summary>Of a thread's functions those with most samples are kept.</summary>
    private const int NamedFunctions = 20;

    [Fact]
    public void A_switch_and_a_waking_of_windows_are_read()
    {
        SyntheticTrace trace = new SyntheticTrace()
            .Raw(100, 1, Event(17, 100, 0x532, Payload("ThreadReadyThreadPayloadV2")))
            .Raw(900, 1, Event(17, 900, 0x524, Payload("ThreadCSwitchPayloadV2")))
            .Switch(1_500, 1, 0, 2252);

        TraceThread thread = EtlFile.Read(trace).Thread(2252);

        Assert.Equal(new TraceTimes(new TimeSpan(600), new TimeSpan(800), new TimeSpan(100), 1), thread.Times.Value);
        Assert.Equal(8, thread.LongestReady!.Priority.Value);
        Assert.False(thread.LongestReady.IsStackPagedOut.Value);
    }

    [Fact]
    public void A_switch_of_a_32_bit_system_is_read()
    {
        SyntheticTrace trace = new SyntheticTrace { Is64 = false }.Raw(700, 0, Event(16, 700, 0x524, Payload("ThreadCSwitchPayload32bitsV2"))).Thread(1_000, 4, 9, 4396);

        TraceThread thread = EtlFile.Read(trace).Thread(4396);

        Assert.Equal(new TraceTimes(new TimeSpan(700), new TimeSpan(300), TimeSpan.Zero, 0), thread.Times.Value);
        Assert.Equal((9, true), (thread.Priority.Value, Assert.Single(thread.WaitReasons).IsReady));
    }

    [Fact]
    public void A_stack_of_windows_has_its_frames()
    {
        byte[] payload = Payload("StackWalkStackPayloadV2");
        long time = BitConverter.ToInt64(payload);
        uint tid = BitConverter.ToUInt32(payload, 12);
        ulong top = BitConverter.ToUInt64(payload, 16);
        SyntheticTrace trace = new SyntheticTrace { FirstTick = time - 50 }.Sample(50, 0, tid, top).Raw(60, 0, Event(17, 60, 0x1820, payload, time - 50));

        TraceFacts facts = EtlFile.Read(trace);

        Assert.Equal(1, facts.Stacks.Joined);
        Assert.Equal($"0x{top:x}", facts.Thread(tid).Functions[0].Name);
        Assert.Equal(Math.Min(NamedFunctions, (payload.Length - 16) / sizeof(ulong)), facts.Thread(tid).Functions.Count);
    }

    private static byte[] Payload(string name)
    {
        using JsonDocument json = JsonDocument.Parse(File.ReadAllText(Repository.Shared("etl", "kernel-payloads.json")));
        return Convert.FromHexString(json.RootElement.GetProperty(name).GetString()!);
    }

    private static byte[] Event(byte type, long time, ushort hook, byte[] payload, long first = 5_000_000_000)
        => [2, 0, type, 0xC0, .. BitConverter.GetBytes((ushort)(16 + payload.Length)), .. BitConverter.GetBytes(hook), .. BitConverter.GetBytes(first + time), .. payload];
}
