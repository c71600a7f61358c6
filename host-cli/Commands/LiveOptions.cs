using System.CommandLine;
using System.CommandLine.Parsing;
using System.Globalization;
using HangTriage.Capture.Targets;
using HangTriage.Cli.Live;

namespace HangTriage.Cli.Commands;

/// <summary>The options of every command that looks at a live process.</summary>
internal sealed class LiveOptions
{
    private const int MostSamples = 100;

    private readonly Option<int> _samples = new("--samples")
    {
        Description = "How often to look at a live process. Several samples tell a wait that lasts from one that moves.",
        HelpName = "N",
        DefaultValueFactory = _ => 3,
    };

    private readonly Option<TimeSpan> _interval = Duration("--interval", "From one sample to the next, such as 500ms or 2s.", TimeSpan.FromSeconds(1));

    private readonly Option<TimeSpan> _pause = PauseOption();

    public static Option<TimeSpan> PauseOption() => Duration(
        "--pause",
        "How long a live process may stand still for a sample, twice that where its threads are slow to stop. Memory that there was no time to copy is read while it runs.",
        LiveCapture.DefaultPause);

    public void AddTo(Command command)
    {
        _samples.Validators.Add(result =>
        {
            if (result.Tokens is [{ Value: { } value }] && (!int.TryParse(value, NumberStyles.None, CultureInfo.InvariantCulture, out int count) || count is < 1 or > MostSamples))
            {
                result.AddError($"--samples is a number from 1 to {MostSamples}, not '{value}'.");
            }
        });
        command.Options.Add(_samples);
        command.Options.Add(_interval);
        command.Options.Add(_pause);
    }

    public LiveChoices Of(ParseResult parsed, int process)
        => new(process, parsed.GetRequiredValue(_samples), parsed.GetRequiredValue(_interval), parsed.GetRequiredValue(_pause));

    public static Option<TimeSpan> Duration(string name, string description, TimeSpan? usual)
    {
        Option<TimeSpan> option = new(name) { Description = description, HelpName = "DURATION", CustomParser = Parse };
        if (usual is { } value)
        {
            option.DefaultValueFactory = _ => value;
        }

        return option;
    }

    public static TimeSpan Parse(ArgumentResult result)
    {
        string text = result.Tokens is [{ Value: { } value }] ? value : string.Empty;
        (string number, double unit) = text switch
        {
            [.. var rest, 'm', 's'] => (rest, 0.001),
            [.. var rest, 's'] => (rest, 1),
            [.. var rest, 'm'] => (rest, 60),
            [.. var rest, 'h'] => (rest, 3_600),
            _ => (text, 1d),
        };
        if (double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double count) && count * unit is > 0 and <= 86_400)
        {
            return TimeSpan.FromSeconds(count * unit);
        }

        result.AddError($"'{text}' is no duration; write 500ms, 2s or 1m.");
        return default;
    }
}
