// For pages that are not made with the kit: the viewer has the same keyboard. Remotes use `useKeys` of `@dmp/kit`.
export { toKeyCaps, type KeyCommand } from './KeyCommand.ts'
export { addKeys } from './keyboard.ts'
export { areKeysOn, writeKeys } from './keySwitch.ts'
export { filterByRank, rank, toWords } from './rank.ts'
