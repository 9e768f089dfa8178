import { board } from '#src/team/pages/board/board-page.ts'
import { cell } from './cell.ts'

export const row = (): string => cell() + board
