export { answer, type Line } from './answers.ts'
export { changing } from './changing.ts'
export { expectAskedEvery } from './expectAskedEvery.ts'
export { expectFacts, expectList, expectTable } from './fields.tsx'
export { ownValues } from './ownValues.ts'
export {
  endTest,
  placeSettings,
  renderScreen,
  serve,
  signInAs,
  someTokens,
  type Rendered,
  type Role,
  type ScreenOptions,
} from './renderScreen.tsx'
export { addData } from './untranslated.ts'
