using System.Globalization;
using HangTriage.Capture.Live;
using HangTriage.Reports;

namespace HangTriage.Cli.Live;

/// <summary>Processes as lines of a table.</summary>
internal static class ProcessLines
{
    private const string Time = "yyyy-MM-dd HH:mm:ss";

    public static void Write(IReadOnlyList<ProcessLook> looks, TextWriter output)
    {
        int name = Math.Clamp(looks.Select(look => look.Process.Name.Length).DefaultIfEmpty(4).Max(), 4, 40);
        output.WriteLine($"{"PID",8}  {"STARTED",-19}  {"CPU",5}  {"THREADS",7}  {"NAME".PadRight(name)}  SIGNS");
        foreach (ProcessLook look in looks)
        {
            string cpu = look.CpuShare.ToString("P0", CultureInfo.InvariantCulture).Replace(" ", string.Empty, StringComparison.Ordinal);
            output.WriteLine(Printable.Line($"{look.Process.Id,8}  {Started(look.Process),-19}  {cpu,5}  {look.Process.Threads.Count,7}  {look.Process.Name.PadRight(name)}  {look.Signs}"));
        }
    }

    public static void Write(IReadOnlyList<ProcessEntry> processes, TextWriter output)
    {
        output.WriteLine($"{"PID",8}  {"STARTED",-19}  {"CPU TIME",10}  NAME");
        foreach (ProcessEntry process in processes)
        {
            string cpu = process.Cpu.Total().TotalSeconds.ToString("0.0 s", CultureInfo.InvariantCulture);
            output.WriteLine(Printable.Line($"{process.Id,8}  {Started(process),-19}  {cpu,10}  {process.Name}"));
        }
    }

    private static string Started(ProcessEntry process) => process.StartedAt?.ToLocalTime().ToString(Time, CultureInfo.InvariantCulture) ?? "?";
}
