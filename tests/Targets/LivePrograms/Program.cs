using System.Globalization;
using Samples;

namespace LivePrograms;

/// <summary>Programs that are looked at while they run: LivePrograms NAME [COUNT]. Each prints READY when its state is there.</summary>
internal static class Program
{
    private static int Main(string[] args)
    {
        int count = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 0;
        switch (args is [var name, ..] ? name : string.Empty)
        {
            case "count":
                return Counting.Run(isAllocating: false);
            case "allocate":
                return Counting.Run(isAllocating: true);
            case "spinner":
                Spinner.Run(count);
                return 0;
            case "sleepers":
                Spinner.Sleep(count);
                return 0;
            case "moving":
                Handover.Run(isMoving: true);
                return 0;
            case "frozen":
                Handover.Run(isMoving: false);
                return 0;
            case "draining":
                Draining.Run(isMoving: true);
                return 0;
            case "stopped":
                Draining.Run(isMoving: false);
                return 0;
            default:
                Console.Error.WriteLine("LivePrograms count|allocate|spinner N|sleepers N|moving|frozen|draining|stopped");
                return 64;
        }
    }
}
