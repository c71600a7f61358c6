namespace HangTriage.Capture.Managed.Reading;

/// <summary>A reader below the runtime's own library, which keeps from it what that library would fall over.</summary>
internal interface ITypeGuessReader
{
    /// <summary>Whether types are asked for that are only guessed: see <see cref="TypeGuesses"/>.</summary>
    bool GuessesTypes { get; set; }
}
