using HangTriage.Capture.Windows.Live;

namespace HangTriage.Tests.Capture.Windows.Live;

/// <summary>Paths of the kernel as programs write them.</summary>
public sealed class LiveImagesTests
{
    [Theory]
    [InlineData(@"\Device\HarddiskVolume3\app\a.exe", @"C:\app\a.exe")]
    [InlineData(@"\Device\HarddiskVolume31\app\a.exe", @"D:\app\a.exe")]
    [InlineData(@"\??\Z:\app\a.exe", @"Z:\app\a.exe")]
    [InlineData(@"\Device\Mup\server\share\a.dll", @"\\server\share\a.dll")]
    [InlineData(@"\Device\HarddiskVolume7\a.dll", @"\Device\HarddiskVolume7\a.dll")]
    [InlineData("", "")]
    public void A_device_is_its_drive(string path, string expected)
        => Assert.Equal(expected, LiveImages.OfDrive(path, [(@"\Device\HarddiskVolume3", "C:"), (@"\Device\HarddiskVolume31", "D:")]));
}
