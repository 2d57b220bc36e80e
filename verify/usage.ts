/**
 * The command-line verifier: a second implementation, from docs/rules and docs/formats, that shares
 * no code with the app and reads only published data. Exit status: 0 everything agrees, 1 something
 * differs, 2 nothing could be checked.
 */
export const usage = `Checks Drydock receipts and the public log behind them.

  npm run verify -- <receipt.json> [more.json …]     check receipt files against the log
  npm run verify -- <evidence.json> --key <vkey>     check evidence files from what is in them; no
                                                     instance is asked
  npm run verify -- <order id> --token <token>       fetch and check the receipt of your order
  npm run verify -- journal:<id> --token <token>     fetch and check the receipt of your journal
  npm run verify -- lease:<id> --token <token>       fetch and check the receipt of your lease
  npm run verify -- hosting:<id> --token <token>     fetch and check the receipt of your subscription or redemption
  npm run verify -- trade:<id>                       fetch and check the receipt of a pool's paper trade
  npm run verify -- mark:<pool>/<ms>                 fetch and check the receipt of a pool's mark at that world time
  npm run verify -- --ack <file> [receipt.json …]    check a promise that the instance signed, and receipts against it
  npm run verify -- act:<id> --token <token>         fetch and check the receipt of what an operator did to you
  npm run verify -- publication:<id>                 fetch and check the receipt of a published text
  npm run verify -- --audit                          check the chain of all that operators did and published
  npm run verify -- --log                            only check that the log extends the last checkpoint
  npm run verify -- --log --whole                    also read every leaf, every tile and all hashes of orders
  npm run verify -- --page                           compare the pages that the instance serves with your own build

  npm run verify -- --day <YYYY-MM-DD>               run a simulated day again from its seed, and compare
                                                     every closed second with the log

  --url <address>     the instance (default http://127.0.0.1:8080)
  --archive <file>    the archive of a world (npm run worlds -- export), instead of an instance; with
                      --log its published texts are checked, too
  --token <token>     session token for fetching receipts (default: DRYDOCK_TOKEN)
  --build <file>      with --page: a build's list to compare with (default: dist/web/build.json
                      of this checkout)
  --recording <dir>   with --log: compare the recording that the world replays with this folder
  --newest            fetch receipts of journals under the newest commitment, and check that no
                      later one exists: your account stands under it now
  --address <0x…>     your wallet: accounts in receipts of journals must be tied to it
                      (with --token, which fetches your salt)
  --memory <file>     file that stores the last proven checkpoints, and what receipts showed: each
                      receipt is compared with all others, of this run and of earlier ones
  --accept-successor <origin>
                      accept that the log at this address ended and this one succeeded it
  --accept-new-log    accept that this address serves another log than before
  --witness <vkey>    key of an outside witness that you know; may be repeated. Only
                      cosignatures of these keys are counted
  --key <vkey>        key of a log that you have from elsewhere; may be repeated. Without it,
                      evidence files and archives are compared with the keys in the memory file
  --json              print one JSON object instead of text

Exit status: 0 everything agrees, 1 something differs, 2 nothing could be checked, or an
evidence file or an archive agrees but is signed by a key that you do not know.`;
