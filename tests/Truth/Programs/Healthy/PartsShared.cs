namespace Truth.Healthy;

/// <summary>Several rounds wait for the same deliveries, one of them for one delivery twice, and all of them end.</summary>
internal static class PartsShared
{
    public static async Task RunAsync()
    {
        Task first = Task.Delay(TimeSpan.FromSeconds(900));
        Task second = DeliverAsync();
        Task[] rounds =
        [
            RoundAsync(first, first),
            RoundAsync(second, first.ContinueWith(static _ => { }, TaskScheduler.Default), second),
            RoundAsync(Task.WhenAll(first, second), second),
        ];
        GC.Collect();
        Ready.WhenStill(() => !Array.Exists(rounds, round => round.IsCompleted));
        await Task.WhenAll(rounds);
    }

    private static async Task DeliverAsync() => await Task.Delay(TimeSpan.FromSeconds(600));

    private static async Task RoundAsync(params Task[] parts) => await Task.WhenAll(parts);
}
