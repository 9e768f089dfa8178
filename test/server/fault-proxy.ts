import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What the wire does from now on, to connections that are open as to those that come. `hang`: they are accepted and nothing gets through in either
 * direction, not even their end (half-open); what was sent then is lost, so such a connection never comes back. `cut`: a connection is reset after so
 * many bytes of answers. `cut-at`: when the near side sends this text, before or after it got through.
 */
export type Fault =
  | { readonly kind: 'pass' | 'hang' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'throttle'; readonly bytesPerSecond: number }
  | { readonly kind: 'cut'; readonly afterBytes: number }
  | { readonly kind: 'cut-at'; readonly text: string; readonly forwarded: boolean }

export type FaultProxy = {
  readonly port: number
  set(fault: Fault): void
  /** Makes the connections that are open now half-open; later ones work. */
  freeze(): void
  /** Resets all connections (RST). */
  reset(): void
  /** Takes no new connections (ECONNREFUSED) until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  /** Open connections of the near side. */
  count(): number
  close(): Promise<void>
}

type Wire = { readonly near: Socket; readonly far: Socket; isFrozen: boolean; answered: number }

/** A wire to `target` that fails as told. On this machine only. */
export async function startFaultProxy(target: { readonly host: string; readonly port: number }): Promise<FaultProxy> {
  const wires = new Set<Wire>()
  let fault: Fault = { kind: 'pass' }
  let server: Server | undefined

  function open(near: Socket): void {
    const far = connect(target.port, target.host)
    const wire: Wire = { near, far, isFrozen: fault.kind === 'hang', answered: 0 }
    wires.add(wire)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
    }
    carry(wire, near, far)
    carry(wire, far, near)
  }

  /** One direction; pieces keep their order whatever each has to wait for. */
  function carry(wire: Wire, from: Socket, to: Socket): void {
    let last: Promise<void> = Promise.resolve()
    const inOrder = (work: () => Promise<void> | void) => {
      last = last.then(work)
    }
    from.on('data', (piece: Buffer) => inOrder(() => pass(wire, { from, to, piece })))
    from.on('close', () =>
      inOrder(() => {
        if (wire.isFrozen && from === wire.far) return
        // Our own side has gone: nobody is left to be fooled.
        to.destroy()
        if (from === wire.near) wires.delete(wire)
      }),
    )
  }

  async function pass(wire: Wire, { from, to, piece }: { from: Socket; to: Socket; piece: Buffer }): Promise<void> {
    if (wire.isFrozen) return
    if (fault.kind === 'delay') await pause(fault.ms)
    if (fault.kind === 'throttle') await pause((piece.length / fault.bytesPerSecond) * 1000)
    // It may have been frozen while this piece was on its way.
    if (wire.isFrozen) return
    if (fault.kind === 'cut-at' && from === wire.near && piece.includes(fault.text)) {
      if (fault.forwarded) await new Promise<void>((resolve) => to.write(piece, () => resolve()))
      return cut(wire)
    }
    if (from === wire.far) wire.answered += piece.length
    to.write(piece)
    if (fault.kind === 'cut' && wire.answered > fault.afterBytes) cut(wire)
  }

  /** The far side ends in good order, so that what it was sent is still read. */
  function cut(wire: Wire): void {
    wires.delete(wire)
    wire.isFrozen = true
    wire.near.resetAndDestroy()
    wire.far.end()
  }

  function listenAt(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      const next = createServer(open)
      next.once('error', reject)
      next.listen(port, '127.0.0.1', () => {
        server = next
        resolve((next.address() as { port: number }).port)
      })
    })
  }
  function stopListening(): Promise<void> {
    const old = server
    server = undefined
    // Resolves when the last connection has ended: not waited for here.
    return new Promise((resolve) => {
      old?.close()
      setImmediate(resolve)
    })
  }
  function freeze(): void {
    for (const wire of wires) wire.isFrozen = true
  }
  function reset(): void {
    for (const wire of [...wires]) cut(wire)
  }

  const port = await listenAt(0)
  return {
    port,
    set(next) {
      fault = next
      for (const wire of wires) wire.answered = 0
      if (next.kind === 'hang') freeze()
    },
    freeze,
    reset,
    refuse: stopListening,
    async listen() {
      await listenAt(port)
    },
    count: () => wires.size,
    async close() {
      await stopListening()
      for (const { near, far } of wires) for (const socket of [near, far]) socket.destroy()
      wires.clear()
    },
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** `url` with its wire through the proxy. */
export const throughProxy = (url: string, { port }: FaultProxy) =>
  Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href
