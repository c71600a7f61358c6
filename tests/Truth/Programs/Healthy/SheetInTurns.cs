namespace Truth.Healthy;

/// <summary>A press and a folder hand one sheet to and fro: each looks now and then whether it is its turn.</summary>
internal static class SheetInTurns
{
    public static void Run()
    {
        PaperLine line = new();
        Thread press = new(line.Press) { Name = "press" };
        Thread folder = new(line.Fold) { Name = "folder" };
        press.Start();
        folder.Start();
        Ready.When(() => line.Turns > 4);
        press.Join();
    }

    private enum Place
    {
        Press,
        Folder,
    }

    private sealed class PaperLine
    {
        private volatile Place _sheet = Place.Folder;

        public int Turns { get; private set; }

        public void Press()
        {
            while (true)
            {
                while (_sheet != Place.Press)
                {
                    Thread.Sleep(40);
                }

                Turns++;
                _sheet = Place.Folder;
            }
        }

        public void Fold()
        {
            while (true)
            {
                while (_sheet != Place.Folder)
                {
                    Thread.Sleep(40);
                }

                _sheet = Place.Press;
            }
        }
    }
}
