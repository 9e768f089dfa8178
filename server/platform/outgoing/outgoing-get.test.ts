import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOutgoingGet } from './outgoing-get.ts'
import { isInternalAddress } from './outgoing-guard.ts'

const { signal } = new AbortController()
const get = createOutgoingGet({ contact: 'ops@tamngan.example' })
let requestCount = 0
const server = createServer((_request, response) => {
  requestCount += 1
  response.end('secret')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server.close())

test('recognises loopback and private addresses in both families', () => {
  const inside = ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0']
  const inside6 = [
    '::1',
    '::',
    'fd00::1',
    'fe80::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:8.8.8.8',
    '64:ff9b::7f00:1',
  ]
  for (const address of [...inside, ...inside6, '224.0.0.1', '255.255.255.255'])
    expect(isInternalAddress(address), address).toBe(true)
  for (const address of ['164.115.27.97', '8.8.8.8', '172.32.0.1', '2001:4860:4860::8888'])
    expect(isInternalAddress(address), address).toBe(false)
})

test('refuses internal addresses in any notation, plain HTTP and credentials without sending a request', async () => {
  const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']
  for (const host of hosts) {
    const address = new URL(`https://${host}:${port}/`)
    await expect(get(address, { host: address.host, signal }), host).rejects.toThrow('ภายในเครือข่าย')
  }
  const plain = new URL(`http://127.0.0.1:${port}/`)
  await expect(get(plain, { host: plain.host, signal })).rejects.toThrow('https://')
  const named = Object.assign(new URL('https://data.go.th/'), { username: 'user', password: 'word' })
  await expect(get(named, { host: named.host, signal })).rejects.toThrow('รหัสผ่าน')
  expect(requestCount).toBe(0)
})

test('requests only the host of the source', async () => {
  await expect(get(new URL('https://other.example/file.csv'), { host: 'data.go.th', signal })).rejects.toThrow(
    'data.go.th',
  )
})
