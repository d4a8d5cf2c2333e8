/* The process that moved last is part of the state. */
byte switches;
byte who;

active [3] proctype p()
{
	do
	:: switches < 4 -> atomic { if :: _last != _pid -> switches++ :: else fi; who = _last }
	:: switches >= 4 -> break
	od
}
