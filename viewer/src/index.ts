import './styles.css'
import { keepPlaces } from './keptPlace.ts'
import { openPage } from './page.ts'

const root = document.getElementById('root')
if (import.meta.webpackHot) keepPlaces()
let leave = openPage(root)

// Under `npm run dev` an edit takes this page down and puts it up again, where it was; Cornerstone itself, its decoders
// and the pictures in its memory stay.
if (import.meta.webpackHot)
  import.meta.webpackHot.accept('./page.ts', () => {
    leave()
    leave = openPage(root)
  })
