import { buildUploader } from '../../uploader/build.ts'
import { orEnd } from '../stage.ts'

await orEnd(() => buildUploader(process.argv.slice(2), (line) => console.log(line)))
