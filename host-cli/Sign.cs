namespace HangTriage.Cli;

/// <summary>What a worker tells its supervisor, a byte each.</summary>
internal enum Sign : byte
{
    /// <summary>Code that may never return is at work.</summary>
    Begin = 1,

    /// <summary>Something more came out of it.</summary>
    Step = 2,

    /// <summary>It is done.</summary>
    End = 3,
}
