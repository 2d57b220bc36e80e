/**
 * Common building blocks of passwords: words and names of the most used ones, rows of the keyboard,
 * and the words of this product that someone at its console would think of first. Letters only, in
 * lower case; digits are treated as numbers.
 */
const passwords = `
password passwort passwd pass pwd motdepasse contrasena senha parola losenord secret geheim
iloveyou loveyou iloveu love lovely liebe amour admin administrator root user username guest test
testing tester demo default changeme change letmein login logon signin welcome willkommen bienvenue
hello hallo bonjour hola ciao please trustno trustnoone access master super superman batman
spiderman pokemon pikachu starwars dragon monkey tiger lion shadow sunshine princess prince queen
king flower football fussball soccer baseball basketball hockey tennis golf liverpool arsenal chelsea
barcelona realmadrid juventus bayern yankees cowboys eagles steelers lakers jordan michael
jessica jennifer ashley daniel charlie thomas andrew anthony matthew joshua robert george william
alexander alex david john james peter martin maria anna laura nicole amanda samantha sophie emma
hannah julia sarah lisa max felix leon paul maggie buster ginger pepper cookie chocolate banana
orange apple cheese coffee summer sommer winter spring autumn january february march april may june
july august september october november december monday tuesday wednesday thursday friday saturday
sunday computer internet google facebook yahoo microsoft windows apple samsung android linux ubuntu
server system oracle cisco freedom liberty america american canada london berlin paris germany
deutschland france england sweden sverige japan china hunter killer soldier ranger ninja samurai
mustang ferrari porsche corvette mercedes harley silver golden diamond crystal purple yellow green
black white red blue angel angels heaven jesus christ god blessed forever friends family mother
father baby babygirl sweet sexy hottie fuckyou fuck whatever nothing something anything blink metallica
nirvana matrix gandalf merlin phoenix thunder lightning hacker money dollar bitcoin ethereum crypto
blockchain wallet satoshi hodl tothemoon moon lambo binance coinbase metamask`;

const context = `
drydock dock dry harbour harbor practice practise platform operator operators owner publisher support
auditor console instance security passphrase phrase key keys elevation elevate class school teacher
pupil student coin coins token usdt pusdt btc eth usdc contract contracts hosting mining machine
correcthorsebatterystaple correct horse battery staple`;

const keyboard = `
qwertyuiop qwertzuiop azertyuiop qwerty qwertz azerty asdfghjkl asdfgh asdf qsdfghjklm zxcvbnm zxcvbn
yxcvbnm wxcvbn qazwsx qazwsxedc qwer asd zxc yxc poiuytrewq lkjhgfdsa mnbvcxz abcdefghijklm abcdefgh
abcdef abcd abc xyz aaa bbb xxx zzz`;

export const commonWords: ReadonlySet<string> = new Set(
  `${passwords} ${context} ${keyboard}`.trim().split(/\s+/),
);
