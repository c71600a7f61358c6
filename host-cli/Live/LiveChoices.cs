namespace HangTriage.Cli.Live;

/// <summary>What the user says of how to look at a live process.</summary>
/// <param name="Process">Its id.</param>
/// <param name="Samples">How often.</param>
/// <param name="Interval">From one sample to the next.</param>
/// <param name="Pause">How long it may stand still for each.</param>
internal sealed record LiveChoices(int Process, int Samples, TimeSpan Interval, TimeSpan Pause);
