namespace Truth.Hung;

/// <summary>A press and a folder hand one sheet to and fro. It jams in between, and each looks for it for ever.</summary>
internal static class SheetJammed
{
    public static void Run()
    {
        FoldLine line = new();
        Thread press = new(line.Press) { Name = "press" };
        Thread folder = new(line.Fold) { Name = "folder" };
        press.Start();
        folder.Start();
        Ready.When(() => line.IsJammed);
        press.Join();
    }

    private enum Place
    {
        Press,
        Folder,
        Tray,
    }

    private sealed class FoldLine
    {
        private volatile Place _sheet = Place.Press;
        private int _sheets;

        public bool IsJammed => _sheet == Place.Tray;

        public void Press()
        {
            while (true)
            {
                while (_sheet != Place.Press)
                {
                    Thread.Sleep(10);
                }

                // The tenth sheet is of thick paper and stays in the tray.
                _sheet = ++_sheets % 10 == 0 ? Place.Tray : Place.Folder;
            }
        }

        public void Fold()
        {
            while (true)
            {
                while (_sheet != Place.Folder)
                {
                    Thread.Sleep(10);
                }

                _sheet = Place.Press;
            }
        }
    }
}
