import { userInfo } from 'node:os'
import { release } from '../../shared/release/src/cli.ts'
import { guard } from '../guard/guard.ts'
import { dataFolder } from '../releases.ts'

process.exitCode = await release(process.argv.slice(2), { dataFolder: dataFolder(), by: userInfo().username, trial: guard })
