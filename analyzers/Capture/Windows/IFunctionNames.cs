namespace HangTriage.Capture.Windows;

/// <summary>Names of functions of an image by address. Nothing in it says where a function ends.</summary>
internal interface IFunctionNames
{
    /// <summary>Finds the nearest function that starts at or below an address.</summary>
    /// <param name="rva">From the image's base.</param>
    /// <param name="lowest">Functions below this are not taken.</param>
    /// <param name="start">Where the function starts.</param>
    /// <param name="name">Its name; null where it has none that can be read.</param>
    bool TryFindNearest(uint rva, uint lowest, out uint start, out string? name);
}
