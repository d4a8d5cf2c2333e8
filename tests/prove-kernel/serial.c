// Waiting for the registers of serial devices, with and without a limit. The device is a thread.
// verdict: holds
// options: --thread limited --env 'device*'
// verdict: violated
// options: --thread unlimited --env 'device*'
// verdict: holds
// options: --thread unlimited --env sends --fair
// verdict: holds
// options: --thread drains --env 'device*,drains*'
#include "kernel.h"

_Atomic unsigned status_register = 8, modem_register;
struct uart_port {
    unsigned flags;
};
struct uart_8250_port {
    struct uart_port port;
    unsigned msr_saved_flags;
} port;
enum { UPF_CONS_FLOW = 1 << 23, UART_MSR = 6, UART_MSR_CTS = 16, MSR_SAVE_FLAGS = 0x0f };
static inline unsigned serial_lsr_in(struct uart_8250_port *up) { return status_register; }
static inline unsigned serial_in(struct uart_8250_port *up, int offset) { return modem_register; }
#include "drivers/tty/serial/8250/8250_port.c/wait_for_lsr"
#include "drivers/tty/serial/8250/8250_port.c/wait_for_xmitr"
void limited(int bits) { wait_for_xmitr(&port, bits); }

enum { ULITE_STATUS = 8, ULITE_TX = 4, ULITE_STATUS_TXFULL = 8 };
static inline u32 uart_in32(u32 offset, struct uart_port *up) { return status_register; }
static inline void uart_out32(u32 value, u32 offset, struct uart_port *up) {}
#include "drivers/tty/serial/uartlite.c/ulite_put_poll_char"
void unlimited(void) { ulite_put_poll_char(&port.port, 'x'); }

struct zs_scc {
    spinlock_t zlock;
} scc;
struct zs_port {
    struct zs_scc *scc;
} zs = {&scc};
enum { R0, Tx_BUF_EMP = 4 };
static inline u8 read_zsreg(struct zs_port *zport, int reg) { return status_register; }
#include "drivers/tty/serial/zs.c/zs_spin_lock_cond_irq"
#include "drivers/tty/serial/zs.c/zs_spin_unlock_cond_irq"
#include "drivers/tty/serial/zs.c/zs_transmit_drain"
void drains(void) {
    spin_lock(&scc.zlock);
    zs_transmit_drain(&zs, 0);
    spin_unlock(&scc.zlock);
}

void device(void) {
    status_register = 0;
    modem_register = 16;
    status_register = 8;
    modem_register = 0;
}
void sends(void) { status_register = 0; }
