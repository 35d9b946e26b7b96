MemcpyHtoD,0x00007f4b5bc00000,400
kernel-1.traceg
kernel-2.traceg
kernel-1.traceg
