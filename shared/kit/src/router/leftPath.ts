import { onPersonChange } from '../session/person.ts'

let path = ''
onPersonChange(() => {
  path = ''
})

/** The path of the page that was shown before this one; '' on the first page of a visit. */
export const leftPath = (): string => path

/** A page says so as it goes. */
export const leavePath = (pathname: string): void => {
  path = pathname
}
