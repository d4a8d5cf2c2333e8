// verdict: holds
// states: 380
// exeunt: --outside fixed
// native
// Descriptors: what open, read, write, lseek, dup and fcntl answer.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *path = "/tmp/exeunt-test-files";

static void tell(const char *what, long answer)
{
    printf("%s: %ld %d\n", what, answer, answer < 0 ? errno : 0);
}

int main(void)
{
    char text[32] = "";
    unlink(path);
    tell("no file", open(path, O_RDONLY));
    tell("no name", open("", O_RDONLY));
    int f = open(path, O_RDWR | O_CREAT | O_EXCL, 0600);
    tell("made", f);
    tell("there", open(path, O_RDWR | O_CREAT | O_EXCL, 0600));
    tell("write", write(f, "hello world", 11));
    tell("at", lseek(f, 0, SEEK_CUR));
    tell("back", lseek(f, -5, SEEK_END));
    tell("read", read(f, text, sizeof text));
    printf("%s\n", text);
    tell("end", read(f, text, sizeof text));
    tell("before", lseek(f, -1, SEEK_SET));
    tell("how", lseek(f, 0, 9));
    tell("beyond", lseek(f, 20, SEEK_SET));
    tell("write", write(f, "!", 1));
    tell("size", lseek(f, 0, SEEK_END));
    tell("pread", pread(f, text, 4, 9));
    printf("%c%c %d %d\n", text[0], text[1], text[2], text[3]);
    tell("pwrite", pwrite(f, "J", 1, 0));
    tell("shorter", ftruncate(f, 5));
    int g = open(path, O_RDONLY);
    tell("again", g);
    tell("not for writing", write(g, "x", 1));
    memset(text, 0, sizeof text);
    tell("read", read(g, text, sizeof text));
    printf("%s\n", text);
    int h = dup(g);
    tell("same place", lseek(h, 1, SEEK_SET));
    tell("read", read(g, text, 1));
    printf("%c\n", text[0]);
    tell("dup2", dup2(f, 9));
    tell("flags", fcntl(9, F_GETFL) & O_ACCMODE);
    tell("append", fcntl(9, F_SETFL, O_APPEND));
    tell("start", lseek(f, 0, SEEK_SET));
    tell("write", write(9, "...", 3));
    tell("at", lseek(f, 0, SEEK_CUR));
    tell("on exec", fcntl(9, F_GETFD));
    tell("on exec", fcntl(9, F_SETFD, FD_CLOEXEC));
    tell("on exec", fcntl(9, F_GETFD));
    tell("least", fcntl(f, F_DUPFD, 20));
    tell("sync", fsync(f));
    tell("close", close(9));
    tell("close", close(9));
    tell("read", read(9, text, 1));
    tell("write", write(-1, "x", 1));
    tell("access", access(path, R_OK | W_OK));
    tell("unlink", unlink(path));
    tell("unlink", unlink(path));
    tell("access", access(path, F_OK));
    tell("still", lseek(f, 0, SEEK_END));
    tell("null", write(open("/dev/null", O_WRONLY), "x", 1));
}
