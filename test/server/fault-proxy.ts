import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * What happens on the wire from now on, on open and new connections. `hang`: connections are accepted but nothing
 * passes in either direction, not even their end (half-open); data sent meanwhile is lost, so such a connection never
 * recovers. `cut`: a connection is reset after so many bytes of answers. `cut-at`: when the near side sends this text,
 * before or after it is forwarded.
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
  reset(): void
  /** Refuses new connections (ECONNREFUSED) until `listen`. */
  refuse(): Promise<void>
  listen(): Promise<void>
  count(): number
  close(): Promise<void>
}

type Wire = { readonly near: Socket; readonly far: Socket; isFrozen: boolean; answered: number }

/** Starts a proxy to `target` that fails on demand. Listens on this machine only. */
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

  /** Forwards one direction; chunks keep their order whatever their delays. */
  function carry(wire: Wire, from: Socket, to: Socket): void {
    let last: Promise<void> = Promise.resolve()
    const inOrder = (work: () => Promise<void> | void) => {
      last = last.then(work)
    }
    from.on('data', (piece: Buffer) => inOrder(() => pass(wire, { from, to, piece })))
    from.on('close', () =>
      inOrder(() => {
        if (wire.isFrozen && from === wire.far) return
        // One side has disconnected, so the other side is disconnected too.
        to.destroy()
        if (from === wire.near) wires.delete(wire)
      }),
    )
  }

  async function pass(wire: Wire, { from, to, piece }: { from: Socket; to: Socket; piece: Buffer }): Promise<void> {
    if (wire.isFrozen) return
    if (fault.kind === 'delay') await pause(fault.ms)
    if (fault.kind === 'throttle') await pause((piece.length / fault.bytesPerSecond) * 1000)
    // The connection may have been frozen while this chunk was delayed.
    if (wire.isFrozen) return
    if (fault.kind === 'cut-at' && from === wire.near && piece.includes(fault.text)) {
      if (fault.forwarded) await new Promise<void>((resolve) => to.write(piece, () => resolve()))
      return cut(wire)
    }
    if (from === wire.far) wire.answered += piece.length
    to.write(piece)
    if (fault.kind === 'cut' && wire.answered > fault.afterBytes) cut(wire)
  }

  /**
   * Resets the client's connection, and ends the server's gracefully, so that the server still reads what it was sent.
   */
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
    // The callback of `close` waits for the last connection to end, so it is not awaited.
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

export const getProxiedUrl = (url: string, { port }: FaultProxy) =>
  Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href
