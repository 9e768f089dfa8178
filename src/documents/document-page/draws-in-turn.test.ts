import { expect, test } from 'vitest'
import { createCanvasDrawQueue } from './pdf-file.ts'

function canvasAt(top: number, width = 390): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.getBoundingClientRect = () => new DOMRect(0, top, width, 500)
  return canvas
}

test('draws one at a time, visible pages first, a page before its thumbnail', async () => {
  const inTurn = createCanvasDrawQueue()
  const drawn: string[] = []
  let together = 0
  const draw = (name: string) => async () => {
    together += 1
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(together).toBe(1)
    together -= 1
    drawn.push(name)
  }
  await Promise.all([
    inTurn(canvasAt(-900), draw('above')),
    inTurn(canvasAt(100, 88), draw('small')),
    inTurn(canvasAt(100), draw('in view')),
    inTurn(canvasAt(900), draw('below')),
  ])
  expect(drawn).toEqual(['in view', 'small', 'below', 'above'])
})

test('a failed draw rejects for its caller only and does not block the next', async () => {
  const inTurn = createCanvasDrawQueue()
  const failed = inTurn(canvasAt(0), () => Promise.reject(new Error('gone')))
  const next = inTurn(canvasAt(900), async () => undefined)
  await expect(failed).rejects.toThrow('gone')
  await expect(next).resolves.toBeUndefined()
})
