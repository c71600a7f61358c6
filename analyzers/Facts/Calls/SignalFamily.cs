namespace HangTriage.Facts.Calls;

/// <summary>Objects of one kind that are waited for, and the methods of .NET that end such waits.</summary>
/// <param name="Name">What they are, in a word.</param>
public sealed record SignalFamily(string Name)
{
    /// <summary>The types of the objects, without what a generic one is made of; types derived from them are such, too.</summary>
    public IReadOnlyList<string> Types { get; init; } = [];

    /// <summary>The types that declare the methods, where that are others.</summary>
    public IReadOnlyList<string> Declaring { get; init; } = [];

    /// <summary>The methods that end a wait.</summary>
    public required IReadOnlyList<string> Gives { get; init; }

    /// <summary>Methods by which others than the program's code come to the object: its system handle, a name in the system.</summary>
    public IReadOnlyList<string> Exposes { get; init; } = [];

    /// <summary>They are delegates of the type that is the name: who calls one ends what it would end.</summary>
    public bool IsDelegate { get; init; }

    /// <summary>A call names the very type of the object: the family's own alone, with what it is made of.</summary>
    public bool IsByType { get; init; }

    /// <summary>A call names what the object is for, as the items of a channel, though not the object's own type.</summary>
    public bool IsByElement { get; init; }

    /// <summary>Code of .NET that has one calls it, without a call among the program's instructions.</summary>
    public bool IsCalledByDotNet { get; init; }

    /// <summary>Framework code that is given an object of one of these types may end waits for it.</summary>
    public IReadOnlyList<string> Handed { get; init; } = [];

    /// <summary>
    /// Framework code to which a method of the program returns one does nothing with it but to hand it on: as the values of a dictionary
    /// or the services of a container it has no type there. Code that is made for such objects, as for channels and observers, may end waits.
    /// </summary>
    public bool IsPlainResult { get; init; }

    /// <summary>What ends the waits for room in it, where there are such; null where there are none.</summary>
    public SignalFamily? Room { get; init; }

    /// <summary>The fields of what such waits wait for.</summary>
    public IReadOnlyList<string> RoomFields { get; init; } = [];

    /// <summary>The fields of the items in it: who takes one out, as for <see cref="Room"/>, has that.</summary>
    public IReadOnlyList<string> ItemFields { get; init; } = [];
}
