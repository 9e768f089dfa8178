import { button } from '../ui/button.ts'
export const date = button
