#!/bin/sh
# Any CI system, or cron. TOFUD_RELEASES says where the files of a release are; TOFUD_SERVER and TOFUD_TOKEN name your team's
# daemon, if it has one.
set -eu

curl -fsSL "$TOFUD_RELEASES/install.sh" >install-tofud.sh
sh install-tofud.sh --from "$TOFUD_RELEASES" --prefix "$HOME/.local" # checks the sum of what it fetches
PATH=$HOME/.local/bin:$PATH

tofu init -input=false
tofud run -- tofu plan -input=false -out=tfplan
# exec: a signal that cancels the job reaches OpenTofu.
exec tofud run --junit tofud.xml --report tofud.html -- tofu apply -input=false tfplan
