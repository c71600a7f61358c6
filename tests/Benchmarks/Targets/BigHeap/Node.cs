namespace BigHeap;

internal sealed record Node(Node? Next, long Number);
