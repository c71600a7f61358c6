using HangTriage.Capture.Windows.Images;

namespace HangTriage.Capture.Windows.Code;

/// <summary>From where to where a function's code goes.</summary>
internal static class FunctionExtent
{
    /// <summary>Entries on each side that may be parts of the same function.</summary>
    private const int MaxParts = 64;

    /// <summary>
    /// Finds the code around an address that is decoded in one piece: the entry of the function table that covers it and
    /// the parts of the same function beside it, or the room between two entries, in which leaf functions lie.
    /// </summary>
    /// <returns>False where the function table does not tell.</returns>
    public static bool TryFind(Image image, uint rva, out AddressRange range, out bool isLeaf)
    {
        range = default;
        isLeaf = false;
        if (image.Functions is not { IsEmpty: false } functions)
        {
            return false;
        }

        FunctionLookup lookup = functions.Find(rva, out FunctionEntry entry, out int index);
        isLeaf = lookup == FunctionLookup.None;
        if (isLeaf)
        {
            return TryFindRoom(image, functions, entry, index, out range);
        }

        if (lookup != FunctionLookup.Found)
        {
            return false;
        }

        uint begin = entry.Begin;
        uint end = entry.End;
        if (functions.TryGetPrimary(entry, out FunctionEntry primary))
        {
            for (int i = 0; i < MaxParts && begin > 0 && IsPart(functions, begin - 1, primary, out FunctionEntry part); i++)
            {
                begin = part.Begin;
            }

            for (int i = 0; i < MaxParts && IsPart(functions, end, primary, out FunctionEntry part); i++)
            {
                end = part.End;
            }
        }

        range = new AddressRange(image.Base + begin, image.Base + end);
        return true;
    }

    private static bool IsPart(FunctionTable functions, uint rva, FunctionEntry primary, out FunctionEntry part)
        => functions.Find(rva, out part, out _) == FunctionLookup.Found
            && functions.TryGetPrimary(part, out FunctionEntry own)
            && own == primary;

    // The end of the entry before is the end of a function, and so a place where decoding can begin.
    private static bool TryFindRoom(Image image, FunctionTable functions, FunctionEntry before, int index, out AddressRange range)
    {
        range = default;
        if (index < 0 || !functions.TryGetBegin(index + 1, out uint next) || next <= before.End)
        {
            return false;
        }

        range = new AddressRange(image.Base + before.End, image.Base + next);
        return true;
    }
}
